// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {TestToken} from "script/local/TestToken.sol";
import {BalanceSheetDelegate} from "src/BalanceSheetDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegate} from "src/interfaces/IStablecoinDelegate.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {CoreSwapTest} from "test/helpers/CoreSwapTest.sol";
import {SilentToken} from "test/mocks/SilentToken.sol";

/// Tests which parties, assets and custodies a settlement accepts, and that nothing else moves.
contract BalanceSheetDelegateSettlementTest is CoreSwapTest {
    function testFuzz_RevertWhen_TheCallerIsNotCoreSwap_D17(address caller, uint256 which) public {
        vm.assume(caller != address(core));
        bytes memory reason = _unauthorized(caller, usdc.delegate.CORE_SWAP_CONTRACT());
        _assertRevert(caller, address(usdc.delegate), _settlementCall(which % 4, _params()), reason);
    }

    function test_RevertWhen_AnAdminOrAnotherDelegateCalls_D17() public {
        address[4] memory callers = [stranger, admin, usdc.issuerAdmin, address(usdx.delegate)];
        for (uint256 c = 0; c < callers.length; ++c) {
            for (uint256 k = 0; k < 4; ++k) {
                vm.prank(callers[c]);
                (bool success, bytes memory reason) = address(usdc.delegate).call(_settlementCall(k, _params()));
                assertFalse(success);
                assertEq(reason, _unauthorized(callers[c], usdc.delegate.CORE_SWAP_CONTRACT()));
            }
        }
    }

    function test_RevertGiven_TheDelegateIsPausedByEitherCause_D24() public {
        for (uint256 cause = 0; cause < 2; ++cause) {
            address by = cause == 0 ? admin : usdc.issuerAdmin;
            vm.prank(by);
            usdc.delegate.pause();
            for (uint256 routeId = 1; routeId <= 8; ++routeId) {
                ICoreSwap.SwapInputs memory leg = _leg(routeId, 1_000e6, false);
                if (routeId == 1 || routeId == 5 || routeId == 7) leg.assetInAmt = 1_000e18;
                vm.expectRevert(IPausable.EnforcedPause.selector);
                _swap(leg);
            }
            vm.prank(by);
            usdc.delegate.unpause();
            _swap(_leg(1, 1_000e18, false));
        }
    }

    function test_RevertWhen_TheUserOrTheReceiverIsTheDelegateOrItsCustody() public {
        address[2] memory notParties = [address(usdc.delegate), usdc.custody];
        for (uint256 k = 0; k < notParties.length; ++k) {
            vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
            vm.prank(notParties[k]);
            core.swap(notParties[k], receiver, _one(_leg(1, 1e18, false)), _noPermit());
            vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
            vm.prank(user);
            core.swap(user, notParties[k], _one(_leg(1, 1e18, false)), _noPermit());
        }
    }

    function test_WhenTheReceiverIsTheCustodyOfAnotherDelegate() public {
        ICoreSwap.SwapInputs memory leg = _leg(1, 1_000e18, false);
        uint256 amountOut = core.quoteSwap(user, leg).tokenOutAmt;
        uint256 held = usdc.token.balanceOf(usdx.custody);
        vm.prank(user);
        core.swap(user, usdx.custody, _one(leg), _noPermit());
        assertEq(usdc.token.balanceOf(usdx.custody), held + amountOut);
    }

    function test_WhenTheCustodyAccountsAreApart() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        uint256 held = usdc.token.balanceOf(usdc.custody);
        _swap(_leg(1, 1_000e18, false));
        assertEq(bill.token.balanceOf(address(usdc.delegate)), 1_000e18);
        assertEq(
            usdc.token.balanceOf(usdc.custody), held - usdc.token.balanceOf(receiver) - usdc.token.balanceOf(vault)
        );
    }

    function test_WhenACustodyIsReplaced() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(address(usdc.delegate));
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        vm.prank(user);
        core.swap(user, usdc.custody, _one(_leg(1, 1_000e18, false)), _noPermit());

        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setStablecoinCustodyAddress(address(usdc.delegate));
        usdc.token.mint(address(usdc.delegate), 1_000_000e6);
        uint256 held = usdc.token.balanceOf(usdc.custody);
        vm.prank(user);
        core.swap(user, usdc.custody, _one(_leg(1, 1_000e18, false)), _noPermit());
        assertGt(usdc.token.balanceOf(usdc.custody), held);

        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setStablecoinCustodyAddress(usdc.custody);
        vm.expectRevert(IStablecoinDelegateAdmin.AddressNotAllowed.selector);
        vm.prank(user);
        core.swap(user, usdc.custody, _one(_leg(1, 1_000e18, false)), _noPermit());
    }

    function test_RevertWhen_TheUserOrTheReceiverIsOnTheBlacklist() public {
        address[2] memory parties = [user, receiver];
        for (uint256 k = 0; k < parties.length; ++k) {
            vm.prank(usdc.issuerAdmin);
            usdc.delegate.setBlacklist(parties[k], true);
            vm.expectRevert(abi.encodeWithSelector(IStablecoinDelegateAdmin.AddressBlacklisted.selector, parties[k]));
            _swap(_leg(1, 1e18, false));
            vm.prank(usdc.issuerAdmin);
            usdc.delegate.setBlacklist(parties[k], false);
        }
        _swap(_leg(1, 1e18, false));
    }

    function test_RevertWhen_AnRWAIsNotListed() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(bond.token), false);
        for (uint256 routeId = 3; routeId <= 6; ++routeId) {
            ICoreSwap.SwapInputs memory leg = _leg(routeId, routeId == 5 ? 1_000e18 : 1_000e6, false);
            vm.expectRevert(IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
            _swap(leg);
        }
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(bill.token), false);
        vm.expectRevert(IStablecoinDelegateAdmin.RWANotWhitelisted.selector);
        _swap(_leg(1, 1e18, false));
    }

    function test_RevertWhen_TheForeignStablecoinIsNotListed() public {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistStablecoin(address(usdx.token), false);
        bytes memory reason =
            abi.encodeWithSelector(IStablecoinDelegateAdmin.StablecoinNotWhitelisted.selector, address(usdx.token));
        vm.expectRevert(reason);
        _swap(_leg(7, 1e18, false));
        vm.expectRevert(reason);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, 1_000e6, 0));
    }

    function test_RevertWhen_TheOwnStablecoinIsAnother() public {
        IStablecoinDelegate.DelegateParams memory params = _params();
        params.assetOutAddress = address(usdx.token);
        vm.startPrank(address(core));
        vm.expectRevert(
            abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, address(usdx.token))
        );
        usdc.delegate.deployStablecoin(params);
        vm.expectRevert(
            abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, address(bill.token))
        );
        usdc.delegate.receiveStablecoin(params);
        vm.stopPrank();
    }

    function test_RevertWhen_AnExchangeHasNotExactlyOneOwnSide() public {
        IStablecoinDelegate.DelegateParams memory params = _params();
        address[2] memory sides = [address(usdx.token), address(usdc.token)];
        for (uint256 k = 0; k < sides.length; ++k) {
            params.assetInAddress = params.assetOutAddress = sides[k];
            vm.expectRevert(
                abi.encodeWithSelector(
                    IStablecoinDelegateAdmin.InvalidStablecoinExchange.selector, sides[k], sides[k], address(usdc.token)
                )
            );
            vm.prank(address(core));
            usdc.delegate.exchangeStablecoins(params);
        }
    }

    function test_RevertGiven_ACustodyIsNotSet() public {
        BalanceSheetDelegate bare = _deployDelegate(usdc.id, address(usdc.token), usdc.issuerAdmin);
        TestToken[3] memory tokens = [bill.token, bond.token, usdx.token];
        for (uint256 i = 0; i < tokens.length; ++i) {
            _uncap(address(bare), address(tokens[i]));
        }
        vm.startPrank(usdc.issuerAdmin);
        bare.whitelistRWA(address(bill.token), true);
        bare.whitelistRWA(address(bond.token), true);
        bare.whitelistStablecoin(address(usdx.token), true);
        vm.stopPrank();
        vm.prank(operator);
        core.setStablecoinAcceptance(usdc.id, address(bare), address(usdc.token), true, false);
        vm.startPrank(user);
        usdc.token.approve(address(bare), type(uint256).max);
        bill.token.approve(address(bare), type(uint256).max);
        vm.stopPrank();

        bytes4 noRWACustody = IStablecoinDelegateAdmin.SetRWACustodyAddress.selector;
        bytes4 noStablecoinCustody = IStablecoinDelegateAdmin.SetStablecoinCustodyAddress.selector;
        _expectRevert(_leg(1, 1_000e18, false), noRWACustody);
        _expectRevert(_leg(3, 1_000e6, false), noStablecoinCustody);
        _expectRevert(_leg(5, 1_000e18, false), noRWACustody);
        _expectRevert(_leg(7, 1_000e18, false), noStablecoinCustody);

        vm.prank(usdc.issuerAdmin);
        bare.setRWACustodyAddress(address(bare));
        bond.token.mint(address(bare), 1_000e6);
        _expectRevert(_leg(1, 1_000e18, false), noStablecoinCustody);
        _expectRevert(_leg(5, 1_000e18, false), noStablecoinCustody);
    }

    function test_RevertGiven_TheCustodyIsEmpty() public {
        vm.startPrank(usdc.custody);
        usdc.token.transfer(stranger, usdc.token.balanceOf(usdc.custody));
        vm.stopPrank();
        ICoreSwap.SwapInputs memory leg = _leg(1, 1e18, false);
        uint256 amountOut = core.quoteSwap(user, leg).tokenOutAmt;
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, usdc.custody, 0, amountOut)
        );
        _swap(leg);
        _swap(_leg(3, 1_000e6, false));
        _swap(leg);
    }

    function test_RevertGiven_TheUserHasNotApprovedTheDelegate() public {
        vm.prank(user);
        bill.token.approve(address(usdc.delegate), 0);
        vm.expectRevert(
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(usdc.delegate), 0, 1e18)
        );
        _swap(_leg(1, 1e18, false));
    }

    function test_RevertWhen_TheTokenInAnswersFalse() public {
        SilentToken token = new SilentToken();
        _uncap(address(usdc.delegate), address(token));
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.whitelistRWA(address(token), true);
        IStablecoinDelegate.DelegateParams memory params = _params();
        params.assetInAddress = address(token);
        bytes memory reason = abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token));
        _assertRevert(address(core), address(usdc.delegate), _settlementCall(0, params), reason);
    }

    /// A zero fee is not transferred, so that tokens which refuse zero transfers still work.
    function test_WhenTheLegIsExemptFromProtocolFees() public {
        vm.prank(operator);
        core.setProtocolFeeExempt(usdc.id, true);
        vm.mockCallRevert(
            address(usdc.token),
            abi.encodeWithSignature("transferFrom(address,address,uint256)", usdc.custody, vault, 0),
            ""
        );
        vm.mockCallRevert(
            address(usdc.token), abi.encodeWithSignature("transferFrom(address,address,uint256)", user, vault, 0), ""
        );
        _swap(_leg(1, 1_000e18, false));
        _swap(_leg(3, 1_000e6, false));
        _swap(_leg(5, 1_000e18, false));
        _swap(_leg(7, 1_000e18, false));
        assertEq(usdc.token.balanceOf(vault), 0);
    }

    function test_WhenAnRWAComesInForStablecoins_D17() public {
        _assertSettles(0, bill.token, usdc.token);
    }

    function test_WhenStablecoinsComeInForAnRWA_D17() public {
        _assertSettles(1, usdc.token, bond.token);
    }

    function test_WhenAnRWAComesInForAnother_D17() public {
        _assertSettles(2, bill.token, bond.token);
    }

    function test_WhenAForeignStablecoinComesIn_D17() public {
        _assertSettles(3, usdx.token, usdc.token);
    }

    function test_WhenAForeignStablecoinGoesOut_D17() public {
        _assertSettles(3, usdc.token, usdx.token);
    }

    /// Settles 100 in, 60 out and a fee of 7 to the vault. The user pays the fee if the own stablecoin comes in, else
    /// the custody pays it.
    function _assertSettles(uint256 which, TestToken tokenIn, TestToken tokenOut) private {
        bool ownIn = address(tokenIn) == address(usdc.token);
        address custody = usdc.custody;
        IStablecoinDelegate.DelegateParams memory params = _params();
        (params.protocolFeeAmt, params.assetInAmount, params.assetOutAmount) = (7, 100, 60);
        (params.assetInAddress, params.assetOutAddress) = (address(tokenIn), address(tokenOut));

        _expectTokens(tokenIn, user, tokenIn.balanceOf(user) - 100);
        _expectTokens(tokenOut, receiver, 60);
        _expectTokens(usdc.token, vault, 7);
        bool ownOut = address(tokenOut) == address(usdc.token);
        _expectTokens(tokenIn, custody, tokenIn.balanceOf(custody) + (ownIn ? 93 : 100));
        _expectTokens(tokenOut, custody, tokenOut.balanceOf(custody) - (ownOut ? 67 : 60));
        if (!ownIn && !ownOut) _expectTokens(usdc.token, custody, usdc.token.balanceOf(custody) - 7);

        _expectEvent(address(tokenIn));
        emit IERC20.Transfer(user, custody, ownIn ? 93 : 100);
        if (ownIn) {
            _expectEvent(address(usdc.token));
            emit IERC20.Transfer(user, vault, 7);
        }
        _expectEvent(address(tokenOut));
        emit IERC20.Transfer(custody, receiver, 60);
        if (!ownIn) {
            _expectEvent(address(usdc.token));
            emit IERC20.Transfer(custody, vault, 7);
        }
        bytes memory result = _assertEffects(address(core), address(usdc.delegate), _settlementCall(which, params));
        assertTrue(abi.decode(result, (bool)), "success");
    }

    function _expectTokens(TestToken token, address account, uint256 balance) private {
        _expectAnswer(address(token), abi.encodeCall(token.balanceOf, (account)), balance);
    }

    function _expectRevert(ICoreSwap.SwapInputs memory leg, bytes4 reason) private {
        vm.expectRevert(reason);
        _swap(leg);
    }

    function _params() private view returns (IStablecoinDelegate.DelegateParams memory params) {
        return IStablecoinDelegate.DelegateParams({
            user: user,
            receiver: receiver,
            vault: vault,
            protocolFeeAmt: 1,
            lpFeeAmt: 0,
            assetInAddress: address(bill.token),
            assetInAmount: 1e18,
            assetOutAddress: address(usdc.token),
            assetOutAmount: 1e6
        });
    }

    function _settlementCall(uint256 k, IStablecoinDelegate.DelegateParams memory params)
        private
        pure
        returns (bytes memory)
    {
        if (k == 0) return abi.encodeCall(IStablecoinDelegate.deployStablecoin, (params));
        if (k == 1) return abi.encodeCall(IStablecoinDelegate.receiveStablecoin, (params));
        if (k == 2) return abi.encodeCall(IStablecoinDelegate.exchangeRWAs, (params));
        return abi.encodeCall(IStablecoinDelegate.exchangeStablecoins, (params));
    }
}
