// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TestToken} from "script/local/TestToken.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

/// Tests the four settlement functions: what each moves, and exactly when each reverts.
contract TreasuryDelegateSettlementTest is DelegateTest {
    uint256 private constant AMOUNT = 1_000e18;
    uint256 private constant PROTOCOL_FEE = 3e18;
    uint256 private constant LP_FEE = 5e18;

    function setUp() public override {
        super.setUp();
        _admit(receiver);
        _deposit(alice, 10 * AMOUNT);
        _goToDayAndPost(DAY_ZERO + 2);
    }

    function testFuzz_RevertWhen_TheCallerIsNotCoreSwap_D17(address caller, uint256 which) public {
        bytes memory data = _call(_functions()[which % 4], address(note.token), address(treasury));
        _assertOnlyRole(delegate.CORE_SWAP_CONTRACT(), caller, data);
    }

    function test_RevertWhen_AnAdminOrACustodyOrAnotherDelegateCalls_D17() public {
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

    function test_RevertGiven_TheDelegateIsPausedByEitherCause_D24() public {
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

    function test_RevertWhen_AnAssetIsNotDealtIn() public {
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

    function test_RevertWhen_TreasuryIsNotOnItsSide() public {
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

    function test_RevertWhen_APartyIsBlacklisted() public {
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

    function test_RevertWhen_APartyIsTheDelegateOrACustody() public {
        address[3] memory accounts = [address(delegate), rwaCustody, stablecoinCustody];
        for (uint256 i = 0; i < accounts.length; ++i) {
            for (uint256 k = 0; k < 4; ++k) {
                IStablecoinDelegate.DelegateParams memory params;
                (params.user, params.receiver) = k % 2 == 0 ? (accounts[i], alice) : (alice, accounts[i]);
                bytes memory data = abi.encodeWithSelector(_functions()[k], params);
                _assertReverts(
                    address(core), data, abi.encodePacked(IStablecoinDelegateAdmin.AddressNotAllowed.selector)
                );
            }
        }
    }

    function test_RevertGiven_ACustodyIsNotSet() public {
        delegate = _deployTreasuryDelegate(RATE, FEE);
        vm.prank(admin);
        treasury.grantRole(keccak256("MINTER_ROLE"), address(delegate));
        _uncap(address(delegate), address(note.token));
        _uncap(address(delegate), address(cash.token));
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

    function test_WhenThereIsNoProtocolFee() public {
        _redeem(alice, AMOUNT);
        _deposit(alice, AMOUNT);
        assertEq(treasury.balanceOf(vault), 0);
        assertEq(delegate.getWithheldCredits(vault).length, 0);
    }

    function test_WhenAnRWAIsDeposited_D17() public {
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

    function test_WhenAnRWAIsDepositedAndAllIsWatched_D17() public {
        _watchAll();
        _expectTakenIn(note.token, rwaCustody);
        _expectMint(receiver, AMOUNT / 2, address(note.token), vm.getBlockTimestamp(), true);
        _expectFee();
        _expectSupply(treasury.totalSupply() + AMOUNT / 2 + PROTOCOL_FEE);
        _assertSettles(0, address(note.token), address(treasury));
    }

    function test_WhenTreasuryIsRedeemedForAnRWA_D17() public {
        uint256 custodyBefore = note.token.balanceOf(rwaCustody);
        uint256 receiverBefore = note.token.balanceOf(receiver);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.receiveStablecoin.selector, address(treasury), address(note.token)));
        assertEq(custodyBefore - note.token.balanceOf(rwaCustody), AMOUNT / 2);
        assertEq(note.token.balanceOf(receiver) - receiverBefore, AMOUNT / 2);
        _assertBurned(supply);
    }

    function test_WhenTreasuryIsRedeemedForAnRWAAndAllIsWatched_D17() public {
        _accrueAll(alice);
        _watchAll();
        _expectBurn(AMOUNT + delegate.getYieldAmount(alice, AMOUNT, false));
        _expectFee();
        _expectSupply(treasury.totalSupply() - AMOUNT + PROTOCOL_FEE);
        _expectPaidOut(note.token, rwaCustody);
        _assertSettles(1, address(treasury), address(note.token));
    }

    function test_WhenRWAsAreExchanged_D17() public {
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

    function test_WhenRWAsAreExchangedAndAllIsWatched_D17() public {
        _watchAll();
        _expectTakenIn(note.token, rwaCustody);
        _expectPaidOut(bill.token, rwaCustody);
        _expectFee();
        _expectSupply(treasury.totalSupply() + PROTOCOL_FEE);
        _assertSettles(2, address(note.token), address(bill.token));
    }

    function test_WhenAStablecoinIsDeposited_D17() public {
        uint256 custodyBefore = cash.token.balanceOf(stablecoinCustody);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.exchangeStablecoins.selector, address(cash.token), address(treasury)));
        assertEq(cash.token.balanceOf(stablecoinCustody) - custodyBefore, AMOUNT);
        _assertMinted(supply, AMOUNT / 2, address(cash.token), false);
    }

    function test_WhenAStablecoinIsDepositedAndAllIsWatched_D17() public {
        _watchAll();
        _expectTakenIn(cash.token, stablecoinCustody);
        _expectMint(receiver, AMOUNT / 2, address(cash.token), (_today() + 1) * 1 days, false);
        _expectFee();
        _expectSupply(treasury.totalSupply() + AMOUNT / 2 + PROTOCOL_FEE);
        _assertSettles(3, address(cash.token), address(treasury));
    }

    function test_WhenTreasuryIsRedeemedForAStablecoin_D17() public {
        uint256 custodyBefore = cash.token.balanceOf(stablecoinCustody);
        uint256 receiverBefore = cash.token.balanceOf(receiver);
        uint256 supply = treasury.totalSupply();
        assertTrue(_settle(IStablecoinDelegate.exchangeStablecoins.selector, address(treasury), address(cash.token)));
        assertEq(custodyBefore - cash.token.balanceOf(stablecoinCustody), AMOUNT / 2);
        assertEq(cash.token.balanceOf(receiver) - receiverBefore, AMOUNT / 2);
        _assertBurned(supply);
    }

    function test_WhenTreasuryIsRedeemedForAStablecoinAndAllIsWatched_D17() public {
        _accrueAll(alice);
        _watchAll();
        _expectBurn(AMOUNT + delegate.getYieldAmount(alice, AMOUNT, true));
        _expectFee();
        _expectSupply(treasury.totalSupply() - AMOUNT + PROTOCOL_FEE);
        _expectPaidOut(cash.token, stablecoinCustody);
        _assertSettles(3, address(treasury), address(cash.token));
    }

    function _watchAll() private {
        _watchDelegate();
        _watchYield();
    }

    function _expectTakenIn(TestToken token, address custody) private {
        _expectTokens(token, alice, token.balanceOf(alice) - AMOUNT);
        _expectTokens(token, custody, token.balanceOf(custody) + AMOUNT);
        _expectEvent(address(token));
        emit IERC20.Transfer(alice, custody, AMOUNT);
    }

    function _expectPaidOut(TestToken token, address custody) private {
        _expectTokens(token, custody, token.balanceOf(custody) - AMOUNT / 2);
        _expectTokens(token, receiver, token.balanceOf(receiver) + AMOUNT / 2);
        _expectEvent(address(token));
        emit IERC20.Transfer(custody, receiver, AMOUNT / 2);
    }

    /// Gives tokens to an account without any, with their credits in one record.
    function _expectMint(address to, uint256 amount, address source, uint256 earningStart, bool isRWA) private {
        ITreasuryDelegate.WithheldCredits[] memory queue = new ITreasuryDelegate.WithheldCredits[](1);
        queue[0] =
            ITreasuryDelegate.WithheldCredits(source, amount, vm.getBlockTimestamp() + 24 hours, earningStart, isRWA);
        _expectTokens(ownToken, to, amount);
        _expectDelegateAnswer(abi.encodeCall(delegate.totalWithheldCredits, (to)), abi.encode(amount));
        _expectDelegateAnswer(abi.encodeCall(delegate.getWithheldCredits, (to)), abi.encode(queue));
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.PendingCreditsAdded(to, amount, _today());
        _expectEvent(address(treasury));
        emit IERC20.Transfer(address(0), to, amount);
    }

    function _expectFee() private {
        _expectMint(vault, PROTOCOL_FEE, address(treasury), (_today() + 1) * 1 days, false);
    }

    function _expectBurn(uint256 value) private {
        _expectTokens(ownToken, alice, 9 * AMOUNT);
        _expectDelegateAnswer(abi.encodeCall(delegate.credits, (alice)), abi.encode(9 * AMOUNT));
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.MainCreditsReduced(alice, AMOUNT, 9 * AMOUNT);
        _expectEvent(address(delegate));
        emit ITreasuryDelegate.YieldClaimed(alice, AMOUNT, value - AMOUNT, value);
        _expectEvent(address(treasury));
        emit IERC20.Transfer(alice, address(0), AMOUNT);
    }

    function _expectSupply(uint256 supply) private {
        _expectAnswer(address(treasury), abi.encodeCall(IERC20.totalSupply, ()), supply);
    }

    function _assertSettles(uint256 which, address assetIn, address assetOut) private {
        bytes memory data = _call(_functions()[which], assetIn, assetOut);
        assertTrue(abi.decode(_assertEffects(address(core), address(delegate), data), (bool)), "success");
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
