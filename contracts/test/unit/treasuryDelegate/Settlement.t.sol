// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICoreSwap} from "../../../src/interfaces/ICoreSwap.sol";
import {IPausable} from "../../../src/interfaces/IPausable.sol";
import {IStablecoinDelegate} from "../../../src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "../../../src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {TreasuryDelegateFixture} from "../../helpers/TreasuryDelegateFixture.sol";
import {CallbackToken} from "../../mocks/CallbackToken.sol";
import {FeeOnTransferToken} from "../../mocks/FeeOnTransferToken.sol";
import {SilentToken} from "../../mocks/SilentToken.sol";
import {TestToken} from "../../mocks/TestToken.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// The four settlement functions: what each moves, and exactly when each reverts.
contract TreasuryDelegateSettlementTest is TreasuryDelegateFixture {
    uint256 private constant AMOUNT = 1_000e18;
    uint256 private constant PROTOCOL_FEE = 3e18;
    uint256 private constant LP_FEE = 5e18;

    function setUp() public override {
        super.setUp();
        _admit(receiver);
        _deposit(alice, 10 * AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
    }

    /* D17: effects */

    function test_D17_DeployStablecoin_MovesExactlyItsParams() public {
        uint256 custodyBefore = note.token.balanceOf(rwaCustody);
        uint256 userBefore = note.token.balanceOf(alice);
        uint256 supply = treasury.totalSupply();
        Stored memory user = _stored(alice);
        assertTrue(_settle(IStablecoinDelegate.deployStablecoin.selector, address(note.token), address(treasury)));
        assertEq(userBefore - note.token.balanceOf(alice), AMOUNT);
        assertEq(note.token.balanceOf(rwaCustody) - custodyBefore, AMOUNT);
        _assertMinted(supply, AMOUNT / 2, address(note.token), true);
        _assertStored(alice, user);
    }

    function test_D17_ReceiveStablecoin_MovesExactlyItsParams() public {
        uint256 custodyBefore = note.token.balanceOf(rwaCustody);
        uint256 receiverBefore = note.token.balanceOf(receiver);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.receiveStablecoin.selector, address(treasury), address(note.token)));
        assertEq(custodyBefore - note.token.balanceOf(rwaCustody), AMOUNT / 2);
        assertEq(note.token.balanceOf(receiver) - receiverBefore, AMOUNT / 2);
        _assertBurned(supply);
    }

    function test_D17_ExchangeRWAs_MovesExactlyItsParams() public {
        TestToken[2] memory tokens = [note.token, bill.token];
        uint256 inBefore = tokens[0].balanceOf(rwaCustody);
        uint256 outBefore = tokens[1].balanceOf(rwaCustody);
        uint256 receiverBefore = tokens[1].balanceOf(receiver);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.exchangeRWAs.selector, address(tokens[0]), address(tokens[1])));
        assertEq(tokens[0].balanceOf(rwaCustody) - inBefore, AMOUNT);
        assertEq(outBefore - tokens[1].balanceOf(rwaCustody), AMOUNT / 2);
        assertEq(tokens[1].balanceOf(receiver) - receiverBefore, AMOUNT / 2);
        assertEq(delegate.totalWithheldCredits(receiver), 0);
        assertEq(treasury.totalSupply() - supply, PROTOCOL_FEE);
        _assertFeeMinted();
    }

    function test_D17_ExchangeStablecoins_IntoTreasury_MovesExactlyItsParams() public {
        uint256 custodyBefore = cash.token.balanceOf(stablecoinCustody);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.exchangeStablecoins.selector, address(cash.token), address(treasury)));
        assertEq(cash.token.balanceOf(stablecoinCustody) - custodyBefore, AMOUNT);
        _assertMinted(supply, AMOUNT / 2, address(cash.token), false);
    }

    function test_D17_ExchangeStablecoins_OutOfTreasury_MovesExactlyItsParams() public {
        uint256 custodyBefore = cash.token.balanceOf(stablecoinCustody);
        uint256 receiverBefore = cash.token.balanceOf(receiver);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.exchangeStablecoins.selector, address(treasury), address(cash.token)));
        assertEq(custodyBefore - cash.token.balanceOf(stablecoinCustody), AMOUNT / 2);
        assertEq(cash.token.balanceOf(receiver) - receiverBefore, AMOUNT / 2);
        _assertBurned(supply);
    }

    function test_Settlement_WithoutAProtocolFee_GivesTheVaultNothing() public {
        _redeem(alice, AMOUNT);
        _deposit(alice, AMOUNT);
        assertEq(treasury.balanceOf(vault), 0);
        assertEq(delegate.getWithheldCredits(vault).length, 0);
    }

    /* who may settle */

    function test_D17_Settlement_ByAnyoneButCoreSwap_Reverts() public {
        bytes4[4] memory functions_ = _functions();
        address[5] memory callers = [admin, issuer, alice, stablecoinCustody, address(usdc.delegate)];
        for (uint256 c = 0; c < callers.length; ++c) {
            for (uint256 k = 0; k < functions_.length; ++k) {
                _assertReverts(
                    callers[c],
                    _call(functions_[k], address(note.token), address(treasury)),
                    abi.encodeWithSelector(
                        IAccessControl.AccessControlUnauthorizedAccount.selector,
                        callers[c],
                        delegate.CORE_SWAP_CONTRACT()
                    )
                );
            }
        }
    }

    function test_D24_Settlement_WhilePaused_Reverts() public {
        bytes4[4] memory functions_ = _functions();
        address[2] memory pausers = [admin, issuer];
        for (uint256 i = 0; i < pausers.length; ++i) {
            vm.prank(pausers[i]);
            delegate.pause();
            for (uint256 k = 0; k < functions_.length; ++k) {
                _assertReverts(
                    address(core),
                    _call(functions_[k], address(note.token), address(treasury)),
                    abi.encodePacked(IPausable.EnforcedPause.selector)
                );
            }
            vm.prank(pausers[i]);
            delegate.unpause();
        }
    }

    /* which assets, which parties */

    function test_Settlement_OfAnAssetThatIsNotDealtIn_NamesIt() public {
        address foreign = address(new TestToken("Foreign", "FOR", 18));
        _assertSettleReverts(0, foreign, address(treasury), IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
        _assertSettleReverts(1, address(treasury), foreign, IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
        _assertSettleReverts(2, foreign, address(note.token), IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
        _assertSettleReverts(2, address(note.token), foreign, IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
        bytes memory notListed =
            abi.encodeWithSelector(IStablecoinDelegateAdmin.StablecoinNotWhitelisted.selector, foreign);
        _assertReverts(address(core), _call(_functions()[3], foreign, address(treasury)), notListed);
        _assertReverts(address(core), _call(_functions()[3], address(treasury), foreign), notListed);
    }

    function test_Settlement_WithoutTreasuryOnItsSide_NamesTheAsset() public {
        address other = address(cash.token);
        bytes memory invalid = abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, other);
        _assertReverts(address(core), _call(_functions()[0], address(note.token), other), invalid);
        _assertReverts(address(core), _call(_functions()[1], other, address(note.token)), invalid);
        address[2] memory both = [other, address(treasury)];
        for (uint256 i = 0; i < both.length; ++i) {
            _assertReverts(
                address(core),
                _call(_functions()[3], both[i], both[i]),
                abi.encodeWithSelector(
                    IStablecoinDelegateAdmin.InvalidStablecoinExchange.selector, both[i], both[i], address(treasury)
                )
            );
        }
    }

    function test_Settlement_ForABlacklistedParty_NamesIt() public {
        address[2] memory parties = [alice, receiver];
        for (uint256 i = 0; i < parties.length; ++i) {
            vm.prank(issuer);
            delegate.setBlacklist(parties[i], true);
            _assertReverts(
                address(core),
                _call(_functions()[0], address(note.token), address(treasury)),
                abi.encodeWithSelector(IStablecoinDelegateAdmin.AddressBlacklisted.selector, parties[i])
            );
            vm.prank(issuer);
            delegate.setBlacklist(parties[i], false);
        }
    }

    function test_Settlement_WithoutCustody_NamesTheMissingOne() public {
        delegate = _deployTreasuryDelegate(RATE, FEE);
        vm.prank(admin);
        treasury.grantRole(keccak256("MINTER_ROLE"), address(delegate));
        vm.startPrank(issuer);
        delegate.whitelistRWA(address(note.token), true);
        delegate.whitelistStablecoin(address(cash.token), true);
        vm.stopPrank();
        bytes4 noRWA = IStablecoinDelegateAdmin.SetRWACustodyAddress.selector;
        _assertSettleReverts(0, address(note.token), address(treasury), noRWA);
        _assertSettleReverts(2, address(note.token), address(note.token), noRWA);
        bytes4 noStablecoin = IStablecoinDelegateAdmin.SetStablecoinCustodyAddress.selector;
        _assertSettleReverts(3, address(cash.token), address(treasury), noStablecoin);
    }

    /* the token's own rules */

    function test_Deposit_ForAReceiverThatIsNotOnTheTokensWhitelist_Reverts() public {
        vm.expectRevert(abi.encodeWithSelector(ITreasury.AccountNotWhitelisted.selector, stranger));
        _swapAs(alice, stranger, ICoreSwap.SwapInputs(8, cash.id, trsy, trsy, ALL, 1e18));
    }

    function test_Redemption_WithoutApprovalOfTheDelegate_Reverts() public {
        vm.prank(alice);
        treasury.approve(address(delegate), 0);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(delegate), 0, 1e18)
        );
        _swapAs(alice, alice, ICoreSwap.SwapInputs(7, trsy, cash.id, trsy, 1e18, 0));
    }

    /* what comes in is measured */

    function test_S22_Deposit_OfATokenThatTakesAFee_Fails() public {
        FeeOnTransferToken token = new FeeOnTransferToken(18);
        token.mint(alice, AMOUNT);
        vm.prank(alice);
        token.approve(address(delegate), AMOUNT);
        vm.prank(issuer);
        delegate.whitelistRWA(address(token), true);
        Stored memory before = _stored(receiver);
        assertFalse(_settle(_functions()[0], address(token), address(treasury)));
        _assertStored(receiver, before);
        assertEq(treasury.balanceOf(receiver), 0);
    }

    function test_Deposit_OfATokenThatAnswersFalse_Reverts() public {
        SilentToken token = new SilentToken();
        vm.prank(issuer);
        delegate.whitelistRWA(address(token), true);
        _assertReverts(
            address(core),
            _call(_functions()[0], address(token), address(treasury)),
            abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token))
        );
    }

    function test_S15_Reentrancy_FromATokenIntoAccrual_Reverts() public {
        CallbackToken token = new CallbackToken(18);
        token.mint(alice, AMOUNT);
        vm.prank(alice);
        token.approve(address(delegate), AMOUNT);
        vm.prank(issuer);
        delegate.whitelistRWA(address(token), true);
        bytes[2] memory calls = [
            abi.encodeCall(delegate.accrueInterest, (receiver, ALL, ALL)),
            abi.encodeCall(delegate.batchAccrueInterest, (new address[](1)))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            token.setCallback(address(delegate), calls[i]);
            _assertReverts(
                address(core),
                _call(_functions()[0], address(token), address(treasury)),
                abi.encodePacked(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
        }
    }

    function _assertMinted(uint256 supplyBefore, uint256 amount, address source, bool isRWA) private view {
        assertEq(treasury.totalSupply() - supplyBefore, amount + PROTOCOL_FEE);
        assertEq(treasury.balanceOf(receiver), amount);
        assertEq(delegate.totalWithheldCredits(receiver), amount);
        assertEq(delegate.getWithheldCredits(receiver)[0].tokenAddress, source);
        assertEq(delegate.getWithheldCredits(receiver)[0].isRWA, isRWA);
        _assertFeeMinted();
    }

    function _assertBurned(uint256 supplyBefore) private view {
        assertEq(supplyBefore - treasury.totalSupply(), AMOUNT - PROTOCOL_FEE);
        assertEq(treasury.balanceOf(alice), 9 * AMOUNT);
        assertEq(delegate.credits(alice), 9 * AMOUNT);
        _assertFeeMinted();
    }

    function _assertFeeMinted() private view {
        assertEq(treasury.balanceOf(vault), PROTOCOL_FEE);
        assertEq(delegate.totalWithheldCredits(vault), PROTOCOL_FEE);
        assertEq(delegate.getWithheldCredits(vault)[0].tokenAddress, address(treasury));
    }

    function _settle(bytes4 selector, address assetIn, address assetOut) private returns (bool) {
        (bool success, bytes memory result) = _try(address(core), _call(selector, assetIn, assetOut));
        assertTrue(success);
        return abi.decode(result, (bool));
    }

    function _assertSettleReverts(uint256 k, address assetIn, address assetOut, bytes4 reason) private {
        _assertReverts(address(core), _call(_functions()[k], assetIn, assetOut), abi.encodePacked(reason));
    }

    function _functions() private pure returns (bytes4[4] memory) {
        return [
            IStablecoinDelegate.deployStablecoin.selector,
            IStablecoinDelegate.receiveStablecoin.selector,
            IStablecoinDelegate.exchangeRWAs.selector,
            IStablecoinDelegate.exchangeStablecoins.selector
        ];
    }

    function _call(bytes4 selector, address assetIn, address assetOut) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            selector,
            IStablecoinDelegate.DelegateParams({
                user: alice,
                receiver: receiver,
                vault: vault,
                protocolFeeAmt: PROTOCOL_FEE,
                lpFeeAmt: LP_FEE,
                assetInAddress: assetIn,
                assetInAmount: AMOUNT,
                assetOutAddress: assetOut,
                assetOutAmount: AMOUNT / 2
            })
        );
    }
}
