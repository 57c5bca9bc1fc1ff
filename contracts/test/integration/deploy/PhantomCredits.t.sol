// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ProductionTest} from "./ProductionTest.sol";
import {DeployConfig} from "script/DeployConfig.sol";
import {Deployment} from "script/Deployment.sol";
import {HistoryVerification} from "script/HistoryVerification.sol";
import {TestToken} from "script/local/TestToken.sol";
import {Treasury} from "src/Treasury.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @notice Credits that a dishonest deployer leaves behind. It buys tokens at a price of its own, burns them and undoes
/// every setting before it gives up its roles: roles, code, settings and supply are then as configured.
contract PhantomCreditsTest is ProductionTest {
    bytes32 private constant USDX = "USDX";
    bytes32 private constant TRSY = "TRSY";

    address private immutable THIEF = makeAddr("thief");
    address private immutable PHANTOM = makeAddr("phantom");

    /// @dev Encoded, because arrays of structs cannot be copied to storage.
    bytes private encodedConfig;
    Deployment private d;
    TreasuryDelegate private lp;
    Treasury private token;
    TestToken private dollar;

    function setUp() public override {
        super.setUp();
        vm.warp(20_000 days + 1 hours);
        DeployConfig memory config = script.parse(_production());
        encodedConfig = abi.encode(config);
        d = script.deploy(config, DEPLOYER);
        (lp, token, dollar) = (d.treasuryDelegate, d.treasury, TestToken(d.stablecoinTokens[0]));
        script.verifyNoCredits(d);
        _leaveCredits(config);
    }

    function test_Verify_CreditsOfBurnedTokens_AreNamed() public {
        DeployConfig memory config = _config();
        assertEq(token.totalSupply(), 0);
        assertGt(lp.totalWithheldCredits(PHANTOM), 299_000_000_000e18);
        script.verify(config, d, DEPLOYER);
        script.verifyStartBlock(config, d);
        script.verifyIssuerAdmins(config, d);
        script.verifyTimelockHolders(config, d);
        script.verifyUpgrades(config, d);
        vm.expectRevert(
            abi.encodeWithSelector(HistoryVerification.CreditsAdded.selector, PHANTOM, script.TRANSACTION())
        );
        script.verifyNoCredits(d);
    }

    /// Tokens are redeemed with the credits of whoever holds them, so each round is paid the yield of old credits.
    function test_X6_Deployer_LeavesCredits_ThatTakeTheReserveAMonthLater() public {
        DeployConfig memory config = _config();
        address custody = config.treasury.lp.stablecoinCustody;
        vm.startPrank(custody);
        lp.acceptCustody();
        dollar.approve(address(lp), type(uint256).max);
        vm.stopPrank();
        vm.startPrank(config.treasury.lp.issuerAdmin);
        lp.setStablecoinCustodyAddress(custody);
        lp.whitelistStablecoin(address(dollar), true);
        vm.stopPrank();
        vm.prank(config.treasury.whitelister);
        token.addToWhitelist(THIEF);
        deal(address(dollar), custody, 1_000_000e6);
        uint256 today = lp.getCurrentDay();
        skip(30 days);
        vm.startPrank(config.treasury.ratePoster);
        for (uint256 day = today; day < today + 30; ++day) {
            lp.postDailyRate(day, 0.045e18);
        }
        vm.stopPrank();

        uint256 loan = 9_000_000e6;
        deal(address(dollar), THIEF, loan);
        for (uint256 round; round < 30; ++round) {
            _swap(THIEF, THIEF, USDX, TRSY, loan);
            uint256 bought = token.balanceOf(THIEF);
            vm.prank(THIEF);
            token.transfer(PHANTOM, bought);
            vm.prank(PHANTOM);
            token.approve(address(lp), bought);
            _swap(PHANTOM, THIEF, TRSY, USDX, bought);
        }
        assertGt(dollar.balanceOf(THIEF), loan + 840_000e6);
    }

    /// @dev The timelock has the roles of the deployer now.
    function _leaveCredits(DeployConfig memory config) private {
        deal(address(dollar), THIEF, 1000e6);
        vm.startPrank(address(d.timelock));
        lp.addIssuerAdmin(THIEF);
        d.coreSwap.setStablecoinUSDValue(USDX, 300_000_000e18);
        vm.stopPrank();
        vm.prank(config.treasury.whitelister);
        token.addToWhitelist(PHANTOM);
        vm.startPrank(THIEF);
        dollar.approve(address(lp), type(uint256).max);
        lp.setRWACustodyAddress(address(lp));
        lp.setStablecoinCustodyAddress(address(lp));
        lp.whitelistStablecoin(address(dollar), true);
        vm.stopPrank();
        _swap(THIEF, PHANTOM, USDX, TRSY, 1000e6);
        uint256 minted = token.balanceOf(PHANTOM);
        vm.prank(PHANTOM);
        token.burn(minted);
        vm.prank(THIEF);
        lp.whitelistStablecoin(address(dollar), false);
        vm.startPrank(address(d.timelock));
        lp.removeIssuerAdmin(THIEF);
        d.coreSwap.setStablecoinUSDValue(USDX, 1e18);
        vm.stopPrank();
        vm.prank(config.treasury.whitelister);
        token.removeFromWhitelist(PHANTOM);
    }

    function _swap(address user, address receiver, bytes32 assetIn, bytes32 assetOut, uint256 amount) private {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](1);
        legs[0] = ICoreSwap.SwapInputs(7, assetIn, assetOut, TRSY, amount, 0);
        ICoreSwap.ApprovalPermit memory none;
        vm.prank(user);
        d.coreSwap.swap(user, receiver, legs, none);
    }

    function _config() private view returns (DeployConfig memory) {
        return abi.decode(encodedConfig, (DeployConfig));
    }
}
